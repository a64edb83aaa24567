"""What Mendel asks of the outside, as abstract classes that state their obligations."""
