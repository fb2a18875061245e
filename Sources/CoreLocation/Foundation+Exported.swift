// iOS sources that import only CoreLocation use Date, DispatchQueue and RunLoop.
@_exported import Foundation

/// Runs `body`. Foundation on Linux lacks this function. On Apple's platforms it also releases
/// autoreleased Objective-C objects, which do not exist here.
/// - Returns: The result of `body`.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
