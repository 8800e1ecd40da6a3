"""Restores the recogniser's weights from the committed ONNX file, so that training goes on where its checkpoint is lost.

Guarantee: CHECKPOINT has the layout of `train_ctc.py` (for its --from), and the network with these weights answers as the
ONNX file does, to the rounding of float32; a file of another layout raises. Matrices come back from int8, so what is restored
is what was shipped, not what was trained; the half-way layer, which is not shipped, starts anew.
Usage: restore.py MODEL.onnx CHECKPOINT
"""

import sys

import onnx
import torch
from onnx import numpy_helper

from ctc_model import Recogniser


def weights(path):
    """Name and value of every constant; int8 matrices are expanded by their scales."""
    found = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in onnx.load(path).graph.initializer}
    for name in [n for n in found if n.endswith(".int8")]:
        base = name[: -len(".int8")]
        found[base] = found.pop(name).float() * found.pop(base + ".scale")
    return found


def matrices(path):
    """The bias that goes with each matrix or filter of the graph, and that constant's name: export renames those alone."""
    graph = onnx.load(path).graph
    adds = {name: node for node in graph.node if node.op_type == "Add" for name in node.input}
    for node in graph.node:
        if node.op_type == "Conv":
            yield node.input[2], node.input[1]
        elif node.op_type == "MatMul" and node.output[0] in adds:
            for bias in adds[node.output[0]].input:
                yield bias, node.input[1]


def main():
    path, target = sys.argv[1:3]
    model, found, renamed = Recogniser(), weights(path), dict(matrices(path))
    state = model.state_dict()
    for name, value in state.items():
        constant = found.get(name)
        if constant is None and name.endswith(".weight"):
            constant = found.get(renamed.get(name[: -len("weight")] + "bias"))
            constant = constant.T if constant is not None and constant.dim() == 2 else constant
        if constant is None and not name.startswith("early."):
            raise SystemExit(f"{path} lacks {name}")
        if constant is not None:
            state[name] = constant.reshape(value.shape).contiguous()
    model.load_state_dict(state)
    torch.save({"shape": model.shape, "model": state, "average": state, "spent": 0.0, "step": 0}, target)


if __name__ == "__main__":
    main()
