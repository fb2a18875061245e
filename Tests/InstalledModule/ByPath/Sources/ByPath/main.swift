import CoreLocation

let start = CLLocation(latitude: 60, longitude: 24)
let end = CLLocation(latitude: 60, longitude: 25)
print("apart by \(Int(metres(from: start, to: end))) m")
print("heading here: \(CLLocationManager.headingAvailable())")
