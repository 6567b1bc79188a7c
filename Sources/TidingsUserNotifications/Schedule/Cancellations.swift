// SPDX-License-Identifier: Apache-2.0

/// Cancelled requests that may still be in the store, as a value.
///
/// They do not fire any more. A request that is scheduled later with a cancelled identifier fires,
/// because the cancellation is finished before that request is stored.
struct Cancellations {
    /// One cancellation, until the store has it.
    struct Cancellation {
        fileprivate let number: Int
        /// The identifiers of the requests; nil for all.
        let identifiers: Set<String>?
    }

    /// The identifiers, each with the number of its last cancellation.
    private var numbers: [String: Int] = [:]
    /// The number of the last cancellation of all requests; nil if there is none.
    private var lastOfAll: Int?
    private var last = 0

    /// Adds a cancellation; nil means all requests.
    mutating func add(_ identifiers: Set<String>?) -> Cancellation? {
        if let identifiers, identifiers.isEmpty { return nil }
        last += 1
        if let identifiers {
            for identifier in identifiers { numbers[identifier] = last }
        } else {
            lastOfAll = last
        }
        return Cancellation(number: last, identifiers: identifiers)
    }

    /// Removes a cancellation that is stored.
    mutating func finish(_ cancellation: Cancellation) {
        if lastOfAll == cancellation.number { lastOfAll = nil }
        for identifier in cancellation.identifiers ?? []
        where numbers[identifier] == cancellation.number {
            numbers[identifier] = nil
        }
    }

    func contains(_ identifier: String) -> Bool {
        lastOfAll != nil || numbers[identifier] != nil
    }
}
