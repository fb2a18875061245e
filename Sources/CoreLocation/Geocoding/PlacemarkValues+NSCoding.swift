extension PlacemarkValues {
  private enum Key {
    static let location = "location"
    static let latitude = "regionLatitude"
    static let longitude = "regionLongitude"
    static let radius = "regionRadius"
    static let identifier = "regionIdentifier"
    static let timeZone = "timeZone"
    static let areasOfInterest = "areasOfInterest"
  }

  /// Reads the values; a missing one is nil.
  init(coder: NSCoder) {
    self.init()
    // On Linux decoding a missing key fails the whole archive.
    if coder.containsValue(forKey: Key.location) {
      location = coder.decodeObject(of: CLLocation.self, forKey: Key.location)
    }
    for word in Word.allCases { words[word] = Self.text(word.rawValue, of: coder) }
    timeZone = Self.text(Key.timeZone, of: coder).flatMap(TimeZone.init(identifier:))
    if coder.containsValue(forKey: Key.areasOfInterest) {
      let classes: [AnyClass] = [NSArray.self, NSString.self]
      areasOfInterest =
        coder.decodeObject(of: classes, forKey: Key.areasOfInterest) as? [String]
    }
    if let identifier = Self.text(Key.identifier, of: coder) {
      region = CLCircularRegion(
        center: CLLocationCoordinate2D(
          latitude: coder.decodeDouble(forKey: Key.latitude),
          longitude: coder.decodeDouble(forKey: Key.longitude)),
        radius: coder.decodeDouble(forKey: Key.radius), identifier: identifier)
    }
  }

  private static func text(_ key: String, of coder: NSCoder) -> String? {
    guard coder.containsValue(forKey: key) else { return nil }
    return coder.decodeObject(of: NSString.self, forKey: key) as String?
  }

  /// Writes the values, the region as a circle.
  func encode(with coder: NSCoder) {
    if let location { coder.encode(location, forKey: Key.location) }
    for (word, text) in words { coder.encode(text as NSString, forKey: word.rawValue) }
    if let timeZone { coder.encode(timeZone.identifier as NSString, forKey: Key.timeZone) }
    if let areasOfInterest {
      coder.encode(areasOfInterest.map { $0 as NSString } as NSArray, forKey: Key.areasOfInterest)
    }
    if let circle = region as? CLCircularRegion {
      coder.encode(circle.center.latitude, forKey: Key.latitude)
      coder.encode(circle.center.longitude, forKey: Key.longitude)
      coder.encode(circle.radius, forKey: Key.radius)
      coder.encode(circle.identifier as NSString, forKey: Key.identifier)
    }
  }
}
