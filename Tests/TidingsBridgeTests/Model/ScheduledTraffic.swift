// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridge

/// What the processes of a schedule exchange, and the promises about it.
protocol ScheduledTraffic: Sendable {
    /// Raised with each change that may be the last one before all is done.
    var changed: WakeSignal { get }

    /// Adds the observers of a process.
    ///
    /// - Returns: What crosses, and the observations.
    func join(_ life: Life, on center: MessageCenter) -> (Crossing, ObservationToken)

    /// Notes a new connection of a process.
    func connected(_ life: Life, over connection: Int)

    /// Posts one message; its handlers throw `failures` times.
    func post(by process: ScheduledProcess, key: String?, failures: Int) async

    /// Posts what every process must receive, once all are ready and there are no faults.
    func postLast(by process: ScheduledProcess) async

    /// Notes the end of a process; no later effect of it counts.
    func died(_ life: Life)

    /// Notes that a process was closed, perhaps while a handler was at work.
    func closed(_ process: ScheduledProcess, isSlow: Bool)

    /// Notes, before it is made, a change of the stream.
    func changes(_ change: FaultSchedule.StreamChange, for processes: [ScheduledProcess]) throws

    /// Whether the processes can receive what is posted now.
    func isReady(_ processes: [ScheduledProcess]) throws -> Bool

    /// Whether the processes have received all that they should, once no fault prevents it.
    func isDone(_ processes: [ScheduledProcess]) throws -> Bool

    /// Returns what is violated, before the processes are closed.
    func violations(_ processes: [ScheduledProcess]) throws -> [String]
}

extension ScheduledTraffic {
    func connected(_ life: Life, over connection: Int) {}

    func postLast(by process: ScheduledProcess) async {
        await post(by: process, key: "last", failures: 0)
    }

    func closed(_ process: ScheduledProcess, isSlow: Bool) {}

    func changes(_ change: FaultSchedule.StreamChange, for processes: [ScheduledProcess]) {}

    func isReady(_ processes: [ScheduledProcess]) -> Bool { true }
}

/// A process from its start to its end.
struct Life: Hashable, Sendable, CustomStringConvertible {
    let process: Int
    /// The number of its predecessors.
    var number = 0

    var description: String { "\(process).\(number)" }
}

/// A message of a schedule.
struct ScheduledNote: BridgedMessage {
    static let wireName: WireName = "notes.taken"
    let number: Int
    let origin: Int
    let key: String?
    var orderingKey: String? { key }
}

struct ScheduledFailure: Error {}

extension BridgeFrame {
    /// The message of a schedule.
    var note: ScheduledNote {
        get throws { try JSONDecoder().decode(ScheduledNote.self, from: Data(body)) }
    }
}
