/// Degrees of latitude, longitude or heading filter.
public typealias CLLocationDegrees = Double
/// Metres; negative where the value it qualifies is invalid.
public typealias CLLocationAccuracy = Double
/// Metres per second; negative where invalid.
public typealias CLLocationSpeed = Double
/// Metres per second; negative where invalid.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from north, 0 to 360; negative where invalid.
public typealias CLLocationDirection = Double
/// Degrees; negative where invalid.
public typealias CLLocationDirectionAccuracy = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Microtesla.
public typealias CLHeadingComponentValue = Double

/// No distance filter: every fix is reported.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// No heading filter: every heading is reported.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// The best accuracy, with every sensor at its full rate.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy of the receiver.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Within ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Within a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Within a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Within three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// The accuracy of a program with reduced accuracy.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000

/// An unlimited distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// An unlimited time, in seconds.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude
