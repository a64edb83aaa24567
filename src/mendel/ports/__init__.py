"""Mendel's interfaces to the outside, as abstract classes that state the obligations of an implementation."""
