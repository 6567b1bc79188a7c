// SPDX-License-Identifier: Apache-2.0

extension ObservationBuffer {
    /// The pending values or the waiting reader, as a value.
    struct State: ~Copyable, Sendable {
        var bufferState: BufferState
        private var values: ValueRing
        private let layout: ValueLayout
        private var reader: (@Sendable () -> Void)?
        /// Whether the reader was resumed but has not read yet, in which case the first value
        /// counts as read.
        private var isReaderComing = false
        /// Called when no value can arrive any more and every value was read or dropped.
        var drained = DrainActions()

        init(_ buffering: Buffering, of layout: ValueLayout) {
            bufferState = BufferState(buffering)
            values = ValueRing(layout)
            self.layout = layout
        }

        /// The action for the caller after the lock was released.
        enum PushAction {
            case none
            case wake(@Sendable () -> Void)
            /// The caller releases the value, because a value's `deinit` must not run under the
            /// lock.
            case release(DroppedValues)
        }

        mutating func push(_ value: Incoming, hasPlace: Bool) -> PushAction {
            switch bufferState.admit(hasPlace: hasPlace, extra: isReaderComing ? 1 : 0) {
            case .append:
                values.append(value)
                guard let reader else { return .none }
                self.reader = nil
                isReaderComing = true
                return .wake(reader)
            case .replaceFirst:
                let dropped = DroppedValues(firstOf: &values, layout)
                values.append(value)
                return .release(dropped)
            case .refuse, .closed: return .none
            }
        }

        enum TakeAction {
            case read(WaitingPoster?)
            case end
            case wait
        }

        /// Moves the readable values to the reader's own ring, which is empty.
        ///
        /// For a bounded buffer, the call moves one value, because later posts may still replace
        /// the rest.
        mutating func take(into inbox: inout ValueRing) -> TakeAction {
            isReaderComing = false
            if values.isEmpty { return bufferState.isClosed ? .end : .wait }
            guard bufferState.isBounded else {
                swap(&values, &inbox)
                bufferState.takeAll()
                return .read(nil)
            }
            _ = inbox.appendFirst(of: &values)
            return .read(bufferState.take())
        }

        /// Stores a waiting reader, unless the reader need not wait.
        ///
        /// Only one reader may wait.
        ///
        /// - Returns: False if a value is pending or no value can arrive any more.
        mutating func park(_ wake: @escaping @Sendable () -> Void) -> Bool {
            guard values.isEmpty, !bufferState.isClosed else { return false }
            require(reader == nil, ObservationBuffer.oneReader)
            reader = wake
            return true
        }

        struct CloseAction {
            let reader: (@Sendable () -> Void)?
            let posters: [WaitingPoster]
            let dropped: DroppedValues?
        }

        /// Whether no value can arrive any more and none is pending.
        var isDrained: Bool { bufferState.isClosed && values.isEmpty }

        /// Accepts no more values.
        ///
        /// Pending values can still be read unless they are discarded.
        mutating func close(discarding: Bool) -> CloseAction {
            let posters = bufferState.close()
            defer { reader = nil }
            guard discarding else {
                return CloseAction(reader: reader, posters: posters, dropped: nil)
            }
            bufferState.takeAll()
            let dropped = DroppedValues(allOf: &values, layout)
            return CloseAction(reader: reader, posters: posters, dropped: dropped)
        }
    }
}

/// Values that were removed under a lock.
///
/// The caller drops this object outside the lock and thereby releases the values.
final class DroppedValues: Sendable {
    private let values: ValueRing

    init(firstOf ring: inout ValueRing, _ layout: ValueLayout) {
        var values = ValueRing(layout)
        _ = values.appendFirst(of: &ring)
        self.values = values
    }

    init(allOf ring: inout ValueRing, _ layout: ValueLayout) {
        var values = ValueRing(layout)
        swap(&values, &ring)
        self.values = values
    }
}
