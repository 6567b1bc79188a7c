// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures

/// What some processes post and which faults meet them, made from a seed.
struct FaultSchedule: Sendable, CustomStringConvertible {
    /// What a server does until it stops doing so.
    enum ServerFault: CaseIterable, Sendable {
        case isDown
        case losesAcknowledgements
        case ignoresFrames
        /// Refuses some frames and takes the ones behind them.
        case refusesSome
    }

    enum Step: Sendable {
        /// Posts messages one after another, beside the next steps. Each handler throws `failures`
        /// times.
        case post(by: Int, key: String?, count: Int, failures: Int)
        case begin(ServerFault)
        case endFaults
        case cutConnections
        /// Stores the newest frames again, as a sender does whose acknowledgements were lost for
        /// longer than the server remembers ids.
        case storeAgain(count: Int)
        /// Closes a bridge and opens another one on its storage.
        case restart(Int)
        /// Goes on with the storage as it is at any moment, as after `kill -9`.
        case kill(Int)
        /// Waits until all that was posted is handled, if no fault prevents it.
        case settle
        /// Lets the bridges work; no fact is expected of it.
        case pause(milliseconds: Int)
    }

    /// More failures than a message has attempts.
    static let always = 99
    static let attempts = 4

    let seed: UInt64
    let processes: Int
    let keepsOrder: Bool
    let window: Int
    let steps: [Step]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.seed = seed
        processes = random.within(2...3)
        keepsOrder = random.chance(50)
        window = random.pick([1, 4, 64])
        let count = random.within(10...30)
        steps = (0..<count).map { [processes] _ in Self.step(processes, &random) }
    }

    private static func step(_ processes: Int, _ random: inout SplitMix64) -> Step {
        let process = random.below(processes)
        switch random.weighted([40, 10, 10, 8, 4, 8, 8, 4, 20]) {
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
        case 4: return .storeAgain(count: random.within(1...20))
        case 5: return .restart(process)
        case 6: return .kill(process)
        case 7: return .settle
        default: return .pause(milliseconds: random.within(0...8))
        }
    }

    var description: String {
        let lines = steps.map { "  \($0)" }.joined(separator: "\n")
        return "\(processes) processes, keeps order: \(keepsOrder), window \(window)\n\(lines)"
    }
}
