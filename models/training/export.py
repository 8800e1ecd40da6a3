"""Writes a trained network as ONNX with its large matrices in 8 bits.

Guarantees: matrices are stored as int8 with one scale per output column and
expanded by Cast and Mul nodes, which onnxruntime folds into float32 constants
when it loads the model; everything else stays float32. The recogniser carries
NeMo's metadata and gets its token table beside it.
Usage: export.py ctc CHECKPOINT MODEL.onnx TOKENS.txt [model|average]
       export.py speaker CHECKPOINT SPACE.npz MODEL.onnx
"""

import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from ctc_model import BLANK, TOKENS, Recogniser
from speaker_model import SpeakerNet

OPSET = 17
SMALLEST = 4096


def shrink(model):
    """Replaces float matrices feeding MatMul or Gemm by int8 and scale."""
    graph = model.graph
    transposed = {n.input[1]: any(a.name == "transB" and a.i for a in n.attribute) for n in graph.node if n.op_type == "Gemm"}
    matrices = {n.input[1] for n in graph.node if n.op_type == "MatMul"} | set(transposed)
    kept, added = [], []
    for tensor in graph.initializer:
        value = numpy_helper.to_array(tensor)
        if tensor.name not in matrices or value.ndim != 2 or value.size < SMALLEST:
            kept.append(tensor)
            continue
        axis = 1 if transposed.get(tensor.name) else 0
        scale = np.maximum(np.abs(value).max(axis, keepdims=True), 1e-8).astype(np.float32) / 127
        small = np.clip(np.round(value / scale), -127, 127).astype(np.int8)
        kept += [numpy_helper.from_array(small, tensor.name + ".int8"), numpy_helper.from_array(scale, tensor.name + ".scale")]
        added += [helper.make_node("Cast", [tensor.name + ".int8"], [tensor.name + ".cast"], to=TensorProto.FLOAT),
                  helper.make_node("Mul", [tensor.name + ".cast", tensor.name + ".scale"], [tensor.name])]
    nodes = added + list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)


def write(path, metadata):
    graph = onnx.load(path)
    shrink(graph)
    for key, value in metadata.items():
        entry = graph.metadata_props.add()
        entry.key, entry.value = key, value
    graph.producer_name = "footnote"
    onnx.checker.check_model(graph)
    onnx.save(graph, path)


def export_ctc(checkpoint, path, tokens, which):
    saved = torch.load(checkpoint)
    model = Recogniser(**saved["shape"])
    model.load_state_dict(saved[which])
    model.eval()
    torch.onnx.export(
        model, (torch.randn(2, 80, 203), torch.tensor([203, 150])), path, opset_version=OPSET,
        input_names=["audio_signal", "length"], output_names=["logprobs", "encoded_lengths"],
        dynamic_axes={"audio_signal": {0: "B", 2: "T"}, "length": {0: "B"}, "logprobs": {0: "B", 1: "T2"},
                      "encoded_lengths": {0: "B"}})
    write(path, {
        "model_type": "EncDecCTCModelBPE", "vocab_size": str(len(TOKENS)), "subsampling_factor": "4",
        "normalize_type": "per_feature", "version": "1", "model_author": "footnote", "language": "en", "url": "",
        "comment": "80 log-mel features, see FEATURES.md"})
    with open(tokens, "w", encoding="utf-8") as file:
        file.writelines(f"{token} {i}\n" for i, token in enumerate(TOKENS + ["<blk>"]))
    assert len(TOKENS) == BLANK


class InSpace(torch.nn.Module):
    """The speaker network, its embedding seen along the axes in which people differ."""

    def __init__(self, net, mean, axes):
        super().__init__()
        self.net = net
        self.turn = torch.nn.Linear(*axes.shape)
        self.turn.weight.data = torch.tensor(axes.T, dtype=torch.float32)
        self.turn.bias.data = torch.tensor(-mean @ axes, dtype=torch.float32)

    def forward(self, features):
        return self.turn(self.net(features))


def export_speaker(checkpoint, space, path):
    net, space = SpeakerNet(), np.load(space)
    net.load_state_dict(torch.load(checkpoint))
    model = InSpace(net, space["mean"], space["axes"])
    model.eval()
    torch.onnx.export(
        model, torch.randn(2, 80, 201), path, opset_version=OPSET, input_names=["features"], output_names=["embedding"],
        dynamic_axes={"features": {0: "B", 2: "T"}, "embedding": {0: "B"}})
    write(path, {"model_type": "footnote-speaker", "features": "raw log-mel 80, see FEATURES.md",
                        "embedding": "variance 1 within a speaker, spread between speakers, per dimension",
                        "spread": ",".join(f"{x:.4f}" for x in space["spread"]), "version": "2",
                        "model_author": "footnote"})


def main():
    if sys.argv[1] == "ctc":
        export_ctc(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5] if len(sys.argv) > 5 else "average")
    else:
        export_speaker(sys.argv[2], sys.argv[3], sys.argv[4])


if __name__ == "__main__":
    main()
