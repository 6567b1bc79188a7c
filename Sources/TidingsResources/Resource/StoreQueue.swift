// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Runs the reads and writes of a store one after another, without blocking callers.
final class StoreQueue<Value: Sendable>: Sendable {
    private let store: any ResourceStore<Value>
    private let failed: @Sendable (any Error) -> Void
    private let steps = Lock(StoreSteps<StoredCopy<Value>>())

    init(_ store: any ResourceStore<Value>, failed: @escaping @Sendable (any Error) -> Void) {
        self.store = store
        self.failed = failed
    }

    /// Returns the stored copy, or nil without a copy or after a failure to read.
    func read() async -> StoredCopy<Value>? {
        await withCheckedContinuation { continuation in
            append(.read { continuation.resume(returning: $0) }).begin()
        }
    }

    /// Returns when all earlier steps are done.
    func flush() async {
        await withCheckedContinuation { continuation in
            append(.tell { continuation.resume() }).begin()
        }
    }

    /// Reserves a position for a step, which the caller starts outside every lock.
    ///
    /// This method may run under the locks of a resource, so that the store's steps have the order
    /// of the resource's changes.
    func append(_ step: StoreSteps<StoredCopy<Value>>.Step) -> Pending {
        var replaced: [StoreSteps<StoredCopy<Value>>.Step] = []
        let isFirst = steps.withLock { $0.append(step, replaced: &replaced) }
        return Pending(line: isFirst ? self : nil, replaced: replaced)
    }

    /// A step that has a position in the queue, and that the caller must start.
    ///
    /// The replaced steps are released with this value.
    struct Pending: Sendable {
        fileprivate let line: StoreQueue?
        fileprivate let replaced: [StoreSteps<StoredCopy<Value>>.Step]

        func begin() {
            // Detached: the queue serves all users of the resource.
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
