// SPDX-License-Identifier: Apache-2.0

// Calls that a newcomer is likely to write. The compiler's error for each one names the correct
// call.

extension StatePublisher {
    /// Combine.
    @available(*, unavailable, renamed: "observe(_:)")
    public func sink(_ handler: (LoadState<Value>) -> Void) -> ObservationToken { unavailable() }

    /// Combine.
    @available(*, unavailable, renamed: "updateData(_:)")
    public func send(_ data: Value) { unavailable() }

    /// Combine.
    @available(*, unavailable, message: "read 'lastData' or 'state.value', change with 'update'")
    public var value: Value {
        get { unavailable() }
        set { unavailable() }
    }

    /// Combine.
    @available(*, unavailable, renamed: "states.removingDuplicates()")
    public func removeDuplicates() -> Selection<LoadState<Value>> { unavailable() }

    /// Combine.
    @available(*, unavailable, renamed: "states.values")
    public var values: ObservationSequence<LoadState<Value>> { unavailable() }

    /// Options belong to a selection.
    @available(*, unavailable, renamed: "states.where(_:)")
    public func `where`(
        _ isIncluded: (LoadState<Value>) -> Bool
    ) -> Selection<LoadState<Value>> { unavailable() }
}
