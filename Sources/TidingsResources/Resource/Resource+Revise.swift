// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension Resource {
    /// The decision on a draft, with the values that the draft has replaced.
    enum Revision {
        /// Keeps the draft's list of writes.
        case keep(StateMemory<Value>.Replaced?)
        /// Leaves the list of writes unchanged.
        case drop(StateMemory<Value>.Replaced?)
    }

    /// Changes the data together with the writes that are pending at the source.
    ///
    /// The draft runs without a lock, because changes are the user's code. The draft runs again if
    /// another change came first.
    ///
    /// - Parameters:
    ///   - draft: Returns the data to show, or nil to give up. The arguments are the list of
    ///     writes, which the draft may change, and the current data.
    ///   - apply: Applies the draft under the locks.
    /// - Returns: False if the draft gave up.
    @discardableResult
    func revise(
        _ draft: (inout OptimisticWrites<Value>?, Value?) -> Value?,
        apply: (Value, inout StateMemory<Value>, inout ResourceCore<Value>) -> Revision
    ) -> Bool {
        while true {
            let (seen, data, version) = publisher.withMemory { memory in
                (core.withLock { $0.writes(in: memory) }, memory.lastData, memory.version)
            }
            var list = seen?.list
            guard let shown = draft(&list, data) else { return false }
            if commit(shown, list, ifAt: (version, seen?.version), apply: apply) { return true }
        }
    }

    /// Applies a draft, or returns false if another change came first.
    private func commit(
        _ shown: Value,
        _ list: OptimisticWrites<Value>?,
        ifAt seen: (version: Int, list: Int?),
        apply: (Value, inout StateMemory<Value>, inout ResourceCore<Value>) -> Revision
    ) -> Bool {
        var isDone = false
        // The writes are released when this function returns, outside the locks.
        var before: PendingWrites<Value>?
        publisher.change { memory in
            core.withLock { core in
                guard memory.version == seen.version, core.writes(in: memory)?.version == seen.list
                else { return nil }
                isDone = true
                switch apply(shown, &memory, &core) {
                case .keep(let replaced):
                    before = core.keep(list, in: memory)
                    return replaced
                case .drop(let replaced): return replaced
                }
            }
        }
        withExtendedLifetime(before) {}
        return isDone
    }
}
