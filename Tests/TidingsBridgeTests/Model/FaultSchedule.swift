// SPDX-License-Identifier: Apache-2.0
import TidingsBridge
import TidingsCoreFixtures

/// The posts of some processes and the faults during the posts, made from a seed.
struct FaultSchedule: Sendable, CustomStringConvertible {
    /// The kind of values that the processes exchange.
    enum Kind: Sendable {
        case durable
        case shared
        case transient
        case state
        /// Durable messages over a stream that loses frames.
        case stream
    }

    /// A misbehavior of a server until the end of the fault.
    enum ServerFault: CaseIterable, Sendable {
        case isDown
        case losesAcknowledgements
        case ignoresFrames
        /// The server refuses some frames and takes the frames behind them.
        case refusesSome
    }

    /// A change of the stream while the server is away for a moment.
    enum StreamChange: Sendable {
        case remade
        /// The stream loses the newest frames, after a sequence.
        case wentBack(to: UInt64)
        /// The stream loses the oldest frames, before a sequence.
        case removed(before: UInt64)
    }

    enum Step: Sendable {
        /// Posts messages one after another, beside the next steps.
        ///
        /// Each handler throws `failures` times.
        case post(by: Int, key: String?, count: Int, failures: Int)
        case begin(ServerFault)
        case endFaults
        case cutConnections
        /// Ends the connection of one process, which then connects again.
        case cut(Int)
        /// Stores the newest frames again.
        ///
        /// A sender does so if acknowledgements were lost for longer than the server remembers ids.
        case storeAgain(count: Int)
        case remakeStream
        /// Removes the newest frames.
        case goBack(count: Int)
        /// Removes the oldest frames, as a limit of the stream does.
        case removeOldest(count: Int)
        /// Closes a bridge and opens another bridge with the same storage.
        case restart(Int)
        /// Continues with the storage of any moment, as after `kill -9`.
        case kill(Int)
        /// Waits until all posts are handled, if no fault prevents this.
        case settle
        /// Lets the bridges work without an expectation.
        case pause(milliseconds: Int)
    }

    /// More failures than a message has attempts.
    static let always = 99
    static let attempts = 4

    let kind: Kind
    let seed: UInt64
    let processes: Int
    let keepsOrder: Bool
    let window: Int
    /// Whether the first process never ends and never loses its connection.
    let isSteady: Bool
    let transientLimit: Int
    let gapPolicy: GapPolicy
    let steps: [Step]

    init(_ kind: Kind, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.kind = kind
        self.seed = seed
        processes = random.within(2...3)
        keepsOrder = random.chance(50)
        window = random.pick([1, 4, 64])
        isSteady = kind == .transient && random.chance(70)
        transientLimit = random.pick([3, 10_000])
        gapPolicy = random.pick([.fromBeginning, .fromEnd])
        let count = random.within(10...30)
        var weights = Self.weights(of: kind)
        // These two steps affect all processes.
        if isSteady { (weights[1], weights[3]) = (0, 0) }
        let (all, faulty) = (0..<processes, (isSteady ? 1 : 0)..<processes)
        steps = (0..<count).map { _ in
            Self.step(weights, random.pick(Array(all)), random.pick(Array(faulty)), &random)
        }
    }

    private static func step(
        _ weights: [Int],
        _ process: Int,
        _ faulty: Int,
        _ random: inout SplitMix64
    ) -> Step {
        switch random.weighted(weights) {
        case 0:
            return .post(
                by: process,
                key: random.pick(["a", "b", nil]),
                count: random.within(1...12),
                failures: random.pick([0, 0, 0, 1, 2, always])
            )
        case 1: return .begin(random.pick(ServerFault.allCases))
        case 2: return .endFaults
        case 3: return .cutConnections
        case 4: return .cut(faulty)
        case 5: return .restart(faulty)
        case 6: return .kill(faulty)
        case 7: return .settle
        case 8: return .pause(milliseconds: random.within(0...8))
        case 9: return .storeAgain(count: random.within(1...20))
        case 10: return .remakeStream
        case 11: return .goBack(count: random.within(1...20))
        default: return .removeOldest(count: random.within(1...40))
        }
    }

    /// The weights of the steps, in the order of `step`.
    private static func weights(of kind: Kind) -> [Int] {
        switch kind {
        case .durable: [40, 10, 10, 5, 5, 8, 8, 4, 20, 4, 0, 0, 0]
        // A frame that is stored again would be other work.
        case .transient: [40, 5, 10, 5, 10, 6, 6, 4, 20, 0, 0, 0, 0]
        case .stream: [40, 6, 10, 4, 8, 8, 0, 10, 16, 0, 2, 6, 6]
        case .state: [40, 8, 10, 6, 8, 8, 8, 4, 20, 0, 0, 0, 0]
        case .shared: [40, 6, 10, 5, 8, 8, 12, 4, 20, 0, 0, 0, 0]
        }
    }

    /// The settings of each process.
    var options: BridgeOptions {
        var options = BridgeOptions.quick
        options.window = window
        options.acknowledgementDeadline = .milliseconds(100)
        options.gapPolicy = gapPolicy
        options.transientLimit = transientLimit
        options.retry.attempts = Self.attempts
        options.retry.keepsOrder = keepsOrder
        return options
    }

    var description: String {
        let lines = steps.map { "  \($0)" }.joined(separator: "\n")
        return
            "\(kind), \(processes) processes, keeps order: \(keepsOrder), window \(window)\n\(lines)"
    }
}
