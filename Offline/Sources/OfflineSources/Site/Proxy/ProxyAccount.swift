// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The connections and bytes that the child of a proxy has used.
///
/// The account is a value without side effects.
struct ProxyAccount {
    /// The limits of one run of a child.
    struct Limits: Hashable, Sendable {
        /// The connections at one time.
        var open = 16
        /// The connections in total.
        var total = 512
        /// The bytes in both directions.
        var bytes = 128 << 20
    }

    /// The largest number of connections at one time without a known credential.
    ///
    /// Any program can make such connections.
    private static let unknownLimit = 32

    let limits: Limits
    private var unknown = 0
    private var open = 0
    private var total = 0
    private var bytes = 0
    /// Whether the account has refused the child a connection or bytes.
    private(set) var isExceeded = false
    /// The first server that the address rules refused.
    private(set) var refusal: HTTPError?

    /// Creates the account of a new child.
    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Returns whether a connection without a known credential is allowed, and counts it if so.
    mutating func admit() -> Bool {
        guard unknown < Self.unknownLimit else { return false }
        unknown += 1
        return true
    }

    /// Counts that the credential of a connection is now known, or that a connection without one
    /// has ended.
    mutating func dismiss() {
        unknown -= 1
    }

    /// Returns whether the child may open another connection, and counts the connection if so.
    mutating func openConnection() -> Bool {
        guard open < limits.open, total < limits.total else {
            isExceeded = true
            return false
        }
        open += 1
        total += 1
        return true
    }

    /// Counts the end of a connection.
    mutating func closeConnection() {
        open -= 1
    }

    /// Returns whether the child may transfer more bytes, and counts the bytes if so.
    mutating func spend(_ count: Int) -> Bool {
        guard count <= limits.bytes - bytes else {
            isExceeded = true
            return false
        }
        bytes += count
        return true
    }

    /// Records that the address rules refused a server.
    mutating func refuse(_ error: HTTPError) {
        let codes: [HTTPError.Code] = [.privateAddress, .ownAddress]
        if refusal == nil, codes.contains(error.code) { refusal = error }
    }
}
