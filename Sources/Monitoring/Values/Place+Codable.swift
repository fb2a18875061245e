import Quantities

#if !hasFeature(Embedded)
  // Degrees, so that the stored files are readable.

  extension GeodeticPosition: Codable {
    enum CodingKeys: String, CodingKey { case latitude, longitude, radians }

    /// Reads degrees, north and east positive, or the exact radians where they are present too.
    /// - Throws: `DecodingError` where a number is absent or out of range.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let latitude = try container.decode(Double.self, forKey: .latitude)
      let longitude = try container.decode(Double.self, forKey: .longitude)
      self.init(latitudeDegrees: latitude, longitudeDegrees: longitude)
      if let exact = try container.decodeIfPresent([Double].self, forKey: .radians) {
        let near = 1e-9
        guard exact.count == 2, abs(self.latitude.radians - exact[0]) < near,
          abs(self.longitude.radians - exact[1]) < near
        else {
          throw DecodingError.dataCorruptedError(
            forKey: .radians, in: container, debugDescription: "differ from the degrees")
        }
        self.init(latitude: Angle(radians: exact[0]), longitude: Angle(radians: exact[1]))
      }
      // The limit of monitoring itself: every place that it accepts is readable after it was
      // stored.
      guard isOnEarth else {
        throw DecodingError.dataCorruptedError(
          forKey: .latitude, in: container,
          debugDescription: "\(latitude), \(longitude): expected -90 to 90, -180 to 180")
      }
    }

    /// Writes degrees, north and east positive, and the radians too where the conversion back is
    /// inexact.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(latitude.degrees, forKey: .latitude)
      try container.encode(longitude.degrees, forKey: .longitude)
      let back = GeodeticPosition(
        latitudeDegrees: latitude.degrees, longitudeDegrees: longitude.degrees)
      if back != self {
        try container.encode([latitude.radians, longitude.radians], forKey: .radians)
      }
    }
  }

  extension MotionState: Codable {}

  extension UTCTime: Codable {
    /// Reads nanoseconds since 1970.
    public init(from decoder: any Decoder) throws {
      self.init(nanosecondsSince1970: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes nanoseconds since 1970, which is exact.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(nanosecondsSince1970)
    }
  }
#endif
