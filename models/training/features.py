"""Log-mel front end shared by the recogniser and the speaker model.

Guarantees: `log_mel` and `normalise` compute exactly what FEATURES.md
describes (NeMo's recipe, without dither), in float64 inside and float32
outside, from a waveform in [-1, 1) at 16 kHz. Nothing here depends on torch,
so a reader can compare it line by line with another implementation.
"""

import numpy as np

SAMPLE_RATE = 16000
N_FFT = 512
WINDOW = 400
HOP = 160
N_MELS = 80
PREEMPHASIS = 0.97
LOG_GUARD = 2.0**-24
STD_GUARD = 1e-5


def _hz_to_mel(hz):
    """Slaney's scale: linear below 1 kHz, logarithmic above."""
    hz = np.asarray(hz, dtype=np.float64)
    linear = hz / (200.0 / 3)
    log = 15.0 + np.log(np.maximum(hz, 1e-9) / 1000.0) / (np.log(6.4) / 27.0)
    return np.where(hz < 1000.0, linear, log)


def _mel_to_hz(mel):
    mel = np.asarray(mel, dtype=np.float64)
    linear = mel * (200.0 / 3)
    log = 1000.0 * np.exp((np.log(6.4) / 27.0) * (mel - 15.0))
    return np.where(mel < 15.0, linear, log)


def mel_filters(n_mels=N_MELS):
    """Triangles [n_mels, 257], each scaled to unit area in Hz (norm=slaney)."""
    edges = _mel_to_hz(np.linspace(_hz_to_mel(0.0), _hz_to_mel(SAMPLE_RATE / 2), n_mels + 2))
    bins = np.arange(N_FFT // 2 + 1) * SAMPLE_RATE / N_FFT
    lower, centre, upper = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rising = (bins - lower) / (centre - lower)
    falling = (upper - bins) / (upper - centre)
    return np.maximum(0.0, np.minimum(rising, falling)) * (2.0 / (upper - lower))


_FILTERS = mel_filters()
# Symmetric Hann of 400 points, centred in the 512 points of the transform.
_HANN = np.zeros(N_FFT)
_HANN[56:456] = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / (WINDOW - 1))


def log_mel(wave):
    """Raw log-mel [80, 1 + N // 160] of a float waveform of N samples."""
    wave = np.asarray(wave, dtype=np.float64)
    emphasised = wave.copy()
    emphasised[1:] -= PREEMPHASIS * wave[:-1]
    padded = np.pad(emphasised, N_FFT // 2)
    count = 1 + len(wave) // HOP
    frames = np.lib.stride_tricks.sliding_window_view(padded, N_FFT)[:: HOP][:count]
    power = np.abs(np.fft.rfft(frames * _HANN, axis=1)) ** 2
    return np.log(power @ _FILTERS.T + LOG_GUARD).T.astype(np.float32)


def normalise(features):
    """Per-feature normalisation over the utterance (N - 1 in the variance)."""
    features = features.astype(np.float64)
    mean = features.mean(axis=1, keepdims=True)
    std = features.std(axis=1, ddof=1, keepdims=True)
    return ((features - mean) / (std + STD_GUARD)).astype(np.float32)
