"""The grid of the segmentation models: 589 frames of 270 samples in 10 s at 16 kHz, the first centred at sample 495."""
import numpy as np

RATE = 16000
SAMPLES = 160000
STEP = 270
FIRST = 495
FRAMES = 589
CENTRES = FIRST + STEP * np.arange(FRAMES)
