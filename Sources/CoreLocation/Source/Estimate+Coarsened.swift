internal import Quantities

extension Estimate {
  /// Degrees to which a program that may know the area only is told the magnetic model's angles: finer ones would
  /// tell the place.
  private static let step = 0.5

  /// The same without what tells the place: the declination is rounded, the model's field and the fix are left out.
  var coarsened: Estimate {
    var coarse = self
    (coarse.position, coarse.modelField, coarse.earthField) = (nil, nil, nil)
    (coarse.velocity, coarse.positionCovarianceSquareMetres) = (nil, nil)
    guard let magnetic = magneticHeading, let north = trueHeading else { return coarse }
    let declination = (north.angle - magnetic.angle).wrappedToHalfTurn.degrees
    let rounded = Angle(degrees: (declination / Self.step).rounded() * Self.step)
    coarse.trueHeading = TrueHeading(magnetic.angle + rounded)
    return coarse
  }
}
