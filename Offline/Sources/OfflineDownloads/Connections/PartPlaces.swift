// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The part requests of all downloads, which share the memory and the patience of the servers.
///
/// The first requests of each download always enter. Further requests start only while their host
/// and the program have few requests. The places are safe to use from any thread.
final class PartPlaces: Sendable {
    /// The maximum number of requests to one host that has further requests.
    static let perHost = PartParallelism.maximum
    /// The maximum number of requests, including further requests, because each request has a
    /// buffer.
    static let maximum = 32

    private let hosts = Lock<[String: Int]>([:])

    /// Enters a request, unless the request is a further request and there are too many.
    ///
    /// - Parameters:
    ///   - host: The host of the request.
    ///   - isFurther: Whether the download already has the first requests.
    /// - Returns: Whether the request may start. If so, the caller must call `leave` later.
    func enter(_ host: String, isFurther: Bool) -> Bool {
        hosts.withLock { hosts in
            let count = hosts[host, default: 0]
            let total = hosts.values.reduce(0, +)
            guard !isFurther || (count < Self.perHost && total < Self.maximum) else { return false }
            hosts[host] = count + 1
            return true
        }
    }

    /// Ends a request.
    func leave(_ host: String) {
        hosts.withLock { hosts in
            let count = hosts[host, default: 0] - 1
            hosts[host] = count > 0 ? count : nil
        }
    }
}
