// SPDX-License-Identifier: Apache-2.0
public import Tidings
import TidingsLock

/// A collection of resources by key, such as pages of results or details of products.
///
/// The resources share only the options and the loader. Each key has a separate state and a
/// separate load. An entry without observers is released after the option `keepsDataFor`, or
/// earlier if more than `idleLimit` entries are idle. While a caller keeps the resource of a key,
/// the family returns the same resource.
///
/// The family holds no lock while hashing or comparing a key. When the family is deallocated, all
/// entries are released.
///
/// ```swift
/// let options = ResourceOptions(staleAfter: .seconds(60), keepsDataFor: .seconds(300))
/// let pages = ResourceFamily(options: options, idleLimit: 20) { number in
///     try await shop.page(number)
/// }
/// pages[2].refreshIfNeeded()
/// pages.states(of: 2, previous: 1).observe(owner: self, on: .main) { screen, state in
///     screen.show(state)
/// }
/// ```
public final class ResourceFamily<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The entries that keep a resource, the idle ones in the order of their last use.
    private struct Kept: Sendable {
        var idle = EntryQueue<FamilyEntry<Value>>()
        var busy = EntryQueue<FamilyEntry<Value>>()
        /// Whether a thread looks at busy entries.
        var isLooking = false
    }

    private let table = FamilyTable<Key, FamilyEntry<Value>>()
    private let kept = Lock(Kept())
    private let idleLimit: Int
    private let make: @Sendable (Key, FamilyEntry<Value>) -> Resource<Value>

    /// Creates a family without entries.
    ///
    /// - Parameters:
    ///   - options: The rules that keep the data of each key fresh.
    ///   - idleLimit: The number of entries without observers and without a load to keep. Beyond
    ///     this limit, the family releases the least recently used entries.
    ///   - clock: The clock that measures the age of data, retry delays and `keepsDataFor`.
    ///   - loader: Loads the data of a key, under the rules of a resource's loader.
    /// - Precondition: `idleLimit` is at least 1.
    public init(
        options: ResourceOptions = ResourceOptions(),
        idleLimit: Int = 100,
        clock: some Clock<Duration> = ContinuousClock(),
        loader: @escaping @Sendable (Key) async throws -> Value
    ) {
        require(idleLimit >= 1, "A family keeps at least 1 idle entry: idleLimit is \(idleLimit).")
        self.idleLimit = idleLimit
        make = { key, entry in
            Resource(
                options: options,
                store: nil,
                clock: clock,
                random: { .random(in: 0...1) },
                entry: entry,
                loader: { try await loader(key) }
            )
        }
    }

    /// The resource of a key, or a new resource without data if the family has none.
    ///
    /// Each access counts as a use of the entry and restarts the time of
    /// the option `keepsDataFor`. The cost does not depend on the number of entries.
    public subscript(key: Key) -> Resource<Value> {
        let hash = key.hashValue
        while true {
            let found = table.entry(at: key, hash)
            if let found, let resource = found.use() { return resource }
            let entry = FamilyEntry<Value> { [weak self] event, entry in
                self?.note(event, of: entry, hash)
            }
            let resource = make(key, entry)
            entry.begin(resource)
            guard table.replace(found, by: entry, at: key, hash) else { continue }
            lookAtTheBusy()
            note(.used, of: entry, hash)
            releaseTheIdle()
            return resource
        }
    }

    /// Selects the states of a key.
    ///
    /// With `previous`, observers receive the data of that key while the new key loads without
    /// data. `loading` carries the data until the first data or error of the new key. The data is
    /// read once, during this call. When the previous key is invalidated or reset, the data is
    /// withdrawn and observers receive `loading` without data. The resource of the new key never
    /// contains the data.
    ///
    /// To avoid a gap, start the load first:
    ///
    /// ```swift
    /// pages[3].refreshIfNeeded()
    /// pages.states(of: 3, previous: 2).observe(owner: self, on: .main) { screen, state in
    ///     screen.show(state)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - previous: The key whose data the screen shows now, or none by default.
    /// - Returns: The selection, for options and handlers.
    public func states(of key: Key, previous: Key? = nil) -> Selection<LoadState<Value>> {
        let old = previous.flatMap { table.entry(at: $0, $0.hashValue)?.resource }
        let resource = self[key]
        let data = old.flatMap { PreviousData(of: $0, before: resource) }
        return resource.states(after: data)
    }

    /// Marks the data of each key as stale for which a closure returns true.
    ///
    /// The rules of ``Resource/invalidate()`` apply. A key without an entry gets no entry.
    ///
    /// ```swift
    /// pages.invalidate { $0 > 3 }
    /// ```
    ///
    /// - Parameter isIncluded: Returns whether to invalidate a key. The closure is called without a
    ///   lock.
    public func invalidate(where isIncluded: (Key) -> Bool) {
        for (key, entry) in table.all where isIncluded(key) { entry.resource?.invalidate() }
    }

    /// Drops the data and the load of every key, as after a logout.
    ///
    /// The rules of ``Resource/reset()`` apply.
    public func reset() {
        for (_, entry) in table.all { entry.resource?.reset() }
    }

    /// The number of entries, including entries that only a caller keeps alive.
    var count: Int { table.all.count }

    private func note(_ event: FamilyEntry<Value>.Event, of entry: FamilyEntry<Value>, _ hash: Int)
    {
        place(entry, isUsed: event == .used)
        switch event {
        case .used, .changed: break
        case .left:
            lookAtTheBusy()
            releaseTheIdle()
        case .calmed: releaseTheIdle()
        case .died: table.remove(entry, hash)
        }
    }

    /// Moves an entry to the queue of the entry's role, and to the end if the entry is used.
    private func place(_ entry: FamilyEntry<Value>, isUsed: Bool) {
        // The resource is released outside the lock.
        let resource = entry.resource
        kept.withLock { kept in
            // The role is read under the lock, so that the last of several threads reads the
            // newest.
            let role = entry.role(with: resource)
            if role != .idle { kept.idle.remove(entry) }
            if role != .busy { kept.busy.remove(entry) }
            if role == .idle, isUsed || !kept.idle.contains(entry) { kept.idle.append(entry) }
            if role == .busy, isUsed || !kept.busy.contains(entry) { kept.busy.append(entry) }
        }
        withExtendedLifetime(resource) {}
    }

    /// Finds out which of the next eight busy entries are idle by now.
    ///
    /// Owners may be deallocated without a notification. The call does nothing inside another call,
    /// because an entry that turns out to be idle reports that its observers have left.
    private func lookAtTheBusy() {
        let count = kept.withLock { kept in
            let count = kept.isLooking ? 0 : min(8, kept.busy.count)
            if count > 0 { kept.isLooking = true }
            return count
        }
        guard count > 0 else { return }
        for _ in 0..<count {
            guard let entry = kept.withLock({ $0.busy.first }) else { break }
            entry.resource?.publisher.sweep()
            place(entry, isUsed: true)
        }
        kept.withLock { $0.isLooking = false }
    }

    /// Releases the least recently used idle entries beyond the limit.
    private func releaseTheIdle() {
        while let entry = kept.withLock({ kept in
            kept.idle.count > idleLimit ? kept.idle.first : nil
        }) {
            entry.release()
        }
    }
}
