import Quantities

extension SignedAxes {
  /// True if a level turn about an axis gives the same field as without the permutation: north is
  /// turned by quarters, and the vertical field, whose offset a level turn does not show, has
  /// perhaps the other sign.
  func isHidden(byTurnsAbout axis: Int) -> Bool {
    guard axes[axis] == axis else { return false }
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3)
    // The determinant of the two level axes.
    let product = signs[a] * signs[b]
    return (axes[a] == a ? product : -product) == 1
  }
}
