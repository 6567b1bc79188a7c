// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Reads and writes a store one step after the other, without making anybody wait.
final class StoreQueue<Value: Sendable>: Sendable {
    private let store: any ResourceStore<Value>
    private let failed: @Sendable (any Error) -> Void
    private let steps = Lock(StoreSteps<StoredCopy<Value>>())

    init(_ store: any ResourceStore<Value>, failed: @escaping @Sendable (any Error) -> Void) {
        self.store = store
        self.failed = failed
    }

    /// Returns what is stored; nil if nothing is, or if that could not be read.
    func read() async -> StoredCopy<Value>? {
        await withCheckedContinuation { continuation in
            append(.read { continuation.resume(returning: $0) }).begin()
        }
    }

    /// Returns when everything is done that was asked for before.
    func flush() async {
        await withCheckedContinuation { continuation in
            append(.tell { continuation.resume() }).begin()
        }
    }

    /// Gives a step its place, which the caller begins outside every lock.
    ///
    /// It may be asked for under the locks of a resource: what the store does has the order in
    /// which
    /// things happened.
    func append(_ step: StoreSteps<StoredCopy<Value>>.Step) -> Pending {
        var replaced: [StoreSteps<StoredCopy<Value>>.Step] = []
        let isFirst = steps.withLock { $0.append(step, replaced: &replaced) }
        return Pending(line: isFirst ? self : nil, replaced: replaced)
    }

    /// A step that has its place and is to be begun; what it replaced is released with it.
    struct Pending: Sendable {
        fileprivate let line: StoreQueue?
        fileprivate let replaced: [StoreSteps<StoredCopy<Value>>.Step]

        func begin() {
            // Detached: it serves everybody who uses the resource.
            if let line { Task.detached { await line.run() } }
        }
    }

    private func run() async {
        while let step = steps.withLock({ $0.next() }) {
            switch step {
            case .read(let tell): tell(await attempt { try await $0.read() } ?? nil)
            case .write(let copy): _ = await attempt { try await $0.write(copy) }
            case .remove: _ = await attempt { try await $0.remove() }
            case .tell(let tell): tell()
            }
        }
    }

    private func attempt<Result>(
        _ body: (any ResourceStore<Value>) async throws -> Result
    ) async -> Result? {
        do {
            return try await body(store)
        } catch {
            failed(error)
            return nil
        }
    }
}
