import Quantities

extension Geoid {
  /// Gives a fix that has one of its two altitudes the other one; leaves it alone where it has both, none,
  /// or no position.
  ///
  /// The vertical accuracy, where it is known, then holds for both altitudes: it grows by
  /// `separationErrorMetres`.
  public func complete(_ fix: inout Fix) {
    guard fix.lacksOneAltitude, let position = fix.position,
      let separation = separationMetres(at: position)
    else { return }
    fix.completeAltitudes(
      separationMetres: separation, errorMetres: Self.separationErrorMetres)
  }
}

extension Fix {
  /// True where one altitude could be reckoned from the other.
  package var lacksOneAltitude: Bool {
    (altitudeMetres == nil) != (ellipsoidalAltitudeMetres == nil)
  }

  /// Reckons the altitude that is missing from the one that is there.
  /// - Parameters:
  ///   - separationMetres: mean sea level above the ellipsoid.
  ///   - errorMetres: one sigma of the separation.
  package mutating func completeAltitudes(separationMetres: Double, errorMetres: Double) {
    guard lacksOneAltitude else { return }
    if let sea = altitudeMetres {
      ellipsoidalAltitudeMetres = sea + separationMetres
    } else if let ellipsoidal = ellipsoidalAltitudeMetres {
      altitudeMetres = ellipsoidal - separationMetres
    }
    verticalAccuracyMetres = verticalAccuracyMetres.map {
      ($0 * $0 + errorMetres * errorMetres).squareRoot()
    }
  }
}
