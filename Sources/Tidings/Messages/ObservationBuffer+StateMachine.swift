// SPDX-License-Identifier: Apache-2.0

extension ObservationBuffer {
    /// What waits for the reader, or the reader that waits, as a value.
    struct State {
        private let limit: Buffering.Limit
        private var values = Fifo<Element>()
        private var reader: CheckedContinuation<Element?, Never>?
        private var isFinished = false
        private(set) var dropped = 0

        init(_ buffering: Buffering) {
            limit = buffering.limit
        }

        /// What the caller does after it has left the lock.
        enum PushAction {
            case resume(CheckedContinuation<Element?, Never>)
            /// The value is dropped by the caller: its `deinit` is not ours to run in here.
            case release(Element?)
            case none
        }

        mutating func push(_ element: Element) -> PushAction {
            if isFinished { return .none }
            if let reader {
                self.reader = nil
                return .resume(reader)
            }
            switch limit {
            case .oldest(let most) where values.count >= most:
                dropped += 1
                return .release(element)
            case .newest(let most) where values.count >= most:
                dropped += 1
                let oldest = values.popFirst()
                values.append(element)
                return .release(oldest)
            default:
                values.append(element)
                return .none
            }
        }

        enum NextAction {
            case deliver(Element)
            case finish
            case wait
        }

        /// Takes the first value, if there is one, or says what the reader must do.
        mutating func next() -> NextAction {
            if let element = values.popFirst() { return .deliver(element) }
            return isFinished ? .finish : .wait
        }

        /// Leaves a reader that waits.
        ///
        /// Only one may.
        mutating func park(_ continuation: CheckedContinuation<Element?, Never>) -> NextAction {
            let action = next()
            guard case .wait = action else { return action }
            require(reader == nil, ObservationBuffer.oneReader)
            reader = continuation
            return action
        }

        /// Takes no more values; those that wait can still be read unless they are discarded.
        mutating func finish(
            discarding: Bool
        ) -> (reader: CheckedContinuation<Element?, Never>?, discarded: Fifo<Element>) {
            isFinished = true
            let result = (reader, discarding ? values : Fifo())
            reader = nil
            if discarding { values = Fifo() }
            return result
        }
    }
}
