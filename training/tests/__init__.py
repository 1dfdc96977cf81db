"""Tests of the training, on small data: python3 -m unittest discover -s training -t training"""
