"""One physical law a file: energy, gradient and Hessian, for one element and for all."""
