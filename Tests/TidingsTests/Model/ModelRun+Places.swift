// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

@testable import Tidings

extension ModelRun {
    /// A place where threads store a value and take the value away.
    ///
    /// No value is released under the lock.
    final class Slot<Value: Sendable>: Sendable {
        private let content: Lock<Value?>

        init(_ value: Value? = nil) { content = Lock(value) }

        var value: Value? { content.withLock { $0 } }

        func put(_ value: Value) { _ = exchange(value) }

        func take() -> Value? { exchange(nil) }

        func exchange(_ value: Value?) -> Value? {
            content.withLock { content in
                defer { content = value }
                return content
            }
        }

        func access(_ body: (inout Value) -> Void) {
            content.withLock { content in
                guard var value = content else { return }
                body(&value)
                content = value
            }
        }
    }

    /// One observation of the program.
    final class ObservationPlace: Sendable {
        let kept = Slot<Kept>()
        let calls = Atomic(0)
    }

    /// The result of `observe` or `messages(of:)`.
    enum Kept: Sendable {
        /// A token and the observations of the token.
        case token(ObservationToken, [Int])
        case sequence(Reader, Int)

        var ids: [Int] {
            switch self {
            case .token(_, let ids): ids
            case .sequence(_, let id): [id]
            }
        }

        func cancel() {
            switch self {
            case .token(let token, _): token.cancel()
            case .sequence(let reader, _): reader.cancel()
            }
        }
    }

    /// A bag and the observations whose tokens the bag keeps.
    struct TokenBag: Sendable {
        let bag = ObservationBag()
        private(set) var ids: [Int] = []

        mutating func insert(_ token: ObservationToken, _ id: Int) {
            ids.append(id)
            token.store(in: bag)
        }
    }

    /// A sequence without the element type.
    struct Reader: Sendable {
        let cancel: @Sendable () -> Void
        let dropped: @Sendable () -> Int
        /// Reads all values until the sequence ends.
        let readAll: @Sendable () async -> [Int]

        init<M: NumberedMessage>(_ sequence: ObservationSequence<M>) {
            cancel = { sequence.cancel() }
            dropped = { sequence.dropped }
            readAll = {
                var numbers: [Int] = []
                for await message in sequence { numbers.append(message.number) }
                return numbers
            }
        }
    }

    /// The remaining objects after the end of a program.
    struct Leftovers: Sendable {
        var tokens: [ObservationToken] = []
        var bags: [TokenBag] = []
        var readers: [Int: Reader] = [:]

        /// Reads every sequence to the end.
        func readAll() async -> [Int: ModelBuffer] {
            var buffers: [Int: ModelBuffer] = [:]
            for (id, reader) in readers {
                let dropped = reader.dropped()
                buffers[id] = ModelBuffer(numbers: await reader.readAll(), dropped: dropped)
            }
            return buffers
        }
    }
}

/// Counts the objects of a run that are alive.
final class Census: Sendable {
    fileprivate let count = Atomic(0)

    var alive: Int { count.load(ordering: .relaxed) }
}

/// One object that a ``Census`` counts, with a closure for the object's end.
final class Mark: Sendable {
    private let census: Census
    private let atEnd: (@Sendable () -> Void)?

    init(_ census: Census, atEnd: (@Sendable () -> Void)? = nil) {
        self.census = census
        self.atEnd = atEnd
        census.count.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        atEnd?()
        census.count.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Keeps the mark in a closure's captures.
    func stay() {}
}
