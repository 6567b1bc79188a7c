// SPDX-License-Identifier: Apache-2.0

/// Removals that the store does not have yet, as a value.
///
/// A removed request does not fire any more. A request that is scheduled later under the same
/// identifier fires, because the removal is finished before that request is stored.
struct Removals {
    /// Removals that one transaction stores.
    struct Batch: Sendable {
        fileprivate let number: Int
        /// The identifiers of pending requests.
        let pending: DeferredRemovals
        /// The identifiers of notifications that other processes have listed.
        let listed: DeferredRemovals
    }

    private var pending = DeferredRemovals()
    private var listed = DeferredRemovals()
    /// The number of the last batch with each removed request, by identifier.
    private var numbers: [String: Int] = [:]
    /// The number of the last batch that removes all requests, or nil if there is none.
    private var lastOfAll: Int?
    /// The number of the next batch.
    private var number = 1
    /// Whether requests of a batch that could not be stored wait for another batch.
    private(set) var isWaiting = false

    /// Adds pending requests (nil means all) and returns whether these are the first of a batch.
    mutating func add(pending identifiers: Set<String>?) -> Bool {
        let isFirst = isWaiting || pending.isEmpty && listed.isEmpty
        pending.add(identifiers)
        if let identifiers {
            for identifier in identifiers { numbers[identifier] = number }
        } else {
            lastOfAll = number
        }
        return isFirst && !pending.isEmpty
    }

    /// Adds notifications of other processes (nil means all) and returns whether these are the
    /// first of a batch.
    mutating func add(listed identifiers: Set<String>?) -> Bool {
        let isFirst = isWaiting || pending.isEmpty && listed.isEmpty
        listed.add(identifiers)
        return isFirst && !listed.isEmpty
    }

    /// Returns all removals that are in no batch yet.
    mutating func nextBatch() -> Batch {
        defer {
            number += 1
            isWaiting = false
            (pending, listed) = (DeferredRemovals(), DeferredRemovals())
        }
        return Batch(number: number, pending: pending, listed: listed)
    }

    /// Ends the removals of a batch that is stored.
    mutating func finish(_ batch: Batch) {
        if lastOfAll == batch.number { lastOfAll = nil }
        for identifier in batch.pending.identifiers ?? [] where numbers[identifier] == batch.number
        {
            numbers[identifier] = nil
        }
    }

    /// Takes back the pending requests of a batch that could not be stored, for the next batch.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - known: The identifiers of all requests at this moment. A batch that removes all requests
    ///     removes no later ones.
    mutating func restore(_ batch: Batch, known: Set<String>) {
        let identifiers = batch.pending.matching(known)
        finish(batch)
        guard !identifiers.isEmpty else { return }
        pending.add(identifiers)
        for identifier in identifiers { numbers[identifier] = number }
        isWaiting = true
    }

    /// Drops the removal of an identifier, because the store now has a later request.
    mutating func forget(_ identifier: String) {
        pending.remove(identifier)
        numbers[identifier] = nil
    }

    /// Whether a request with this identifier does not fire any more.
    func containsPending(_ identifier: String) -> Bool {
        lastOfAll != nil || numbers[identifier] != nil
    }
}
