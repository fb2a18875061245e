import Quantities

extension EstimateValueCoding where Value == Double {
  static var number: Self {
    Self(.number, write: { $2.add($1, exactly: $0) }, read: { $0.exactNumber() })
  }
}

extension EstimateValueCoding where Value == Int {
  static var count: Self {
    Self(.count, write: { $2.add($1, $0) }, read: { $0.int64().flatMap { Int(exactly: $0) } })
  }
}

extension EstimateValueCoding where Value == Bool {
  static var flag: Self {
    Self(.flag, write: { $2.add($1, $0) }, read: { $0.flag() })
  }
}

extension EstimateValueCoding where Value == Timestamp {
  /// Nanoseconds.
  static var instant: Self {
    Self(.instant, write: { $2.add($1, unsigned: $0.nanoseconds) }, read: { $0.timestamp() })
  }
}

extension EstimateValueCoding where Value == UTCTime {
  /// Nanoseconds since 1970.
  static var civil: Self {
    Self(
      .civil, write: { $2.add($1, integer: $0.nanosecondsSince1970) },
      read: { $0.int64().map { UTCTime(nanosecondsSince1970: $0) } })
  }
}

extension EstimateValueCoding {
  /// A value of `count` numbers.
  static func numbers(
    _ count: Int, _ parts: @escaping @Sendable (Value) -> [Double],
    _ make: @escaping @Sendable ([Double]) -> Value
  ) -> Self {
    Self(
      .numbers(count), write: { $2.add($1, exactly: parts($0)) },
      read: { $0.exactNumbers(count).map(make) })
  }

  /// A value of one number.
  static func number(
    _ part: @escaping @Sendable (Value) -> Double, _ make: @escaping @Sendable (Double) -> Value
  ) -> Self {
    Self(.number, write: { $2.add($1, exactly: part($0)) }, read: { $0.exactNumber().map(make) })
  }
}

extension EstimateValueCoding where Value == Angle {
  /// Radians.
  static var angle: Self { number(\.radians) { Angle(radians: $0) } }
}

extension EstimateValueCoding where Value == MagneticHeading {
  /// Radians. Wrapping a wrapped heading again does not change its bits.
  static var magneticHeading: Self {
    number(\.angle.radians) { MagneticHeading(Angle(radians: $0)) }
  }
}

extension EstimateValueCoding where Value == TrueHeading {
  /// Radians.
  static var trueHeading: Self { number(\.angle.radians) { TrueHeading(Angle(radians: $0)) } }
}

extension EstimateValueCoding where Value == AngularSpeed {
  /// Radians per second.
  static var angularSpeed: Self {
    number(\.radiansPerSecond) { AngularSpeed(radiansPerSecond: $0) }
  }
}

extension EstimateValueCoding where Value == Rotation<BodyFrame, MagneticEarthFrame> {
  /// The quaternion, scalar first.
  static var attitude: Self {
    numbers(4, { [$0.w, $0.v.x, $0.v.y, $0.v.z] }) {
      Value(restoring: $0[0], SIMD3($0[1], $0[2], $0[3]))
    }
  }
}

extension EstimateValueCoding where Value == SIMD3<Double> {
  static var vector: Self { numbers(3, { [$0.x, $0.y, $0.z] }) { SIMD3($0[0], $0[1], $0[2]) } }
}

extension EstimateValueCoding where Value == EarthField {
  /// Horizontal, then down, microtesla.
  static var earthField: Self {
    numbers(2, { [$0.horizontal, $0.down] }) { EarthField(horizontal: $0[0], down: $0[1]) }
  }
}

extension EstimateValueCoding where Value == MagneticField<BodyFrame> {
  /// Microtesla.
  static var field: Self {
    numbers(3, { [$0.microtesla.x, $0.microtesla.y, $0.microtesla.z] }) {
      MagneticField(microtesla: SIMD3($0[0], $0[1], $0[2]))
    }
  }
}

extension EstimateValueCoding where Value == GeodeticPosition {
  /// Latitude, then longitude, radians.
  static var position: Self {
    numbers(2, { [$0.latitude.radians, $0.longitude.radians] }) {
      GeodeticPosition(latitude: Angle(radians: $0[0]), longitude: Angle(radians: $0[1]))
    }
  }
}

extension EstimateValueCoding where Value == Velocity<EarthFrame> {
  /// North, east, down, metres per second.
  static var velocity: Self {
    numbers(3, { [$0.metresPerSecond.x, $0.metresPerSecond.y, $0.metresPerSecond.z] }) {
      Velocity(metresPerSecond: SIMD3($0[0], $0[1], $0[2]))
    }
  }
}

extension EstimateValueCoding where Value == Matrix3 {
  /// The upper triangle of a symmetric matrix, row by row.
  static var symmetricMatrix: Self {
    numbers(6, { [$0.r0.x, $0.r0.y, $0.r0.z, $0.r1.y, $0.r1.z, $0.r2.z] }) {
      let first = SIMD3($0[0], $0[1], $0[2])
      let second = SIMD3($0[1], $0[3], $0[4])
      let third = SIMD3($0[2], $0[4], $0[5])
      return Matrix3(rows: first, second, third)
    }
  }
}
