// SPDX-License-Identifier: Apache-2.0

extension ObservationBuffer {
    /// What waits for the reader, or the reader that waits, as a value.
    struct State: ~Copyable, Sendable {
        var bufferState: BufferState
        private var values: ValueRing
        private let layout: ValueLayout
        private var reader: (@Sendable () -> Void)?
        /// Whether the reader was woken and has not come yet: the first value is as good as read.
        private var isReaderComing = false
        /// Called once nothing can come and everything is read or dropped.
        var drained = DrainActions()

        init(_ buffering: Buffering, of layout: ValueLayout) {
            bufferState = BufferState(buffering)
            values = ValueRing(layout)
            self.layout = layout
        }

        /// What the caller does after it has left the lock.
        enum PushAction {
            case none
            case wake(@Sendable () -> Void)
            /// The value is released by the caller: its `deinit` is not ours to run in here.
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

        /// Moves what may be read to the reader's own ring, which is empty.
        ///
        /// Of a bounded buffer that is one value: what the others are is not decided yet.
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

        /// Leaves a reader that waits, unless there is something to read or nothing to come.
        ///
        /// Only one may.
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

        /// Whether nothing can come and nothing waits.
        var isDrained: Bool { bufferState.isClosed && values.isEmpty }

        /// Takes no more values; those that wait can still be read unless they are discarded.
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

/// Values on their way out of a lock, to be released by whoever drops this.
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
