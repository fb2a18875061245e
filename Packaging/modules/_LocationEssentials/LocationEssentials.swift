// Apple's Core Location takes its values from a module of this name, and Xcode writes it into
// sources.
@_exported import CoreLocation
