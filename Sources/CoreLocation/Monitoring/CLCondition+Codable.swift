// As on Apple's platforms coordinates are not Codable: the conditions code the degrees themselves.

private enum PlaceKeys: String, CodingKey { case latitude, longitude, radius }

extension CLMonitor.CircularGeographicCondition {
  /// Reads degrees and metres.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PlaceKeys.self)
    self.init(
      center: CLLocationCoordinate2D(
        latitude: try container.decode(Double.self, forKey: .latitude),
        longitude: try container.decode(Double.self, forKey: .longitude)),
      radius: try container.decode(Double.self, forKey: .radius))
  }

  /// Writes degrees and metres.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PlaceKeys.self)
    try container.encode(center.latitude, forKey: .latitude)
    try container.encode(center.longitude, forKey: .longitude)
    try container.encode(radius, forKey: .radius)
  }
}

extension CLMonitor.PolygonGeographicCondition {
  /// Reads an array of degrees.
  public init(from decoder: any Decoder) throws {
    var array = try decoder.unkeyedContainer()
    var vertices: [CLLocationCoordinate2D] = []
    while !array.isAtEnd {
      let corner = try array.nestedContainer(keyedBy: PlaceKeys.self)
      vertices.append(
        CLLocationCoordinate2D(
          latitude: try corner.decode(Double.self, forKey: .latitude),
          longitude: try corner.decode(Double.self, forKey: .longitude)))
    }
    self.init(vertices: vertices)
  }

  /// Writes an array of degrees.
  public func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    for vertex in vertices {
      var corner = array.nestedContainer(keyedBy: PlaceKeys.self)
      try corner.encode(vertex.latitude, forKey: .latitude)
      try corner.encode(vertex.longitude, forKey: .longitude)
    }
  }
}
