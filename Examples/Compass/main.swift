import CoreLocation

// Run it as it is, or with a number: `Compass 20` ends by itself after 20 updates.
let limit = CommandLine.arguments.dropFirst().first.flatMap(Int.init)

let compass = Compass(limit: limit)
compass.start()
RunLoop.main.run()
