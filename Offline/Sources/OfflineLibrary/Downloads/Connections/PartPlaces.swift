// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The part requests of all downloads, which share the memory and the patience of the servers.
///
/// Each download may have its first ones; further ones begin only while their host and the program
/// have few. Safe from any thread.
final class PartPlaces: Sendable {
    /// The maximum number of requests to one host that has further ones.
    static let perHost = PartParallelism.maximum
    /// The maximum number of requests with further ones: each has a buffer.
    static let maximum = 32

    private let hosts = Lock<[String: Int]>([:])

    /// Enters a request, unless it is a further one and there are too many.
    ///
    /// - Parameters:
    ///   - host: The host of the request.
    ///   - isFurther: Whether the download has its first requests.
    /// - Returns: Whether the request may begin; then the caller leaves later.
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
