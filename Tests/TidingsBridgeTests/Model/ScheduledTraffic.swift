// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridge
import TidingsLock

/// The exchanged values of a schedule's processes, and the promises about the exchange.
protocol ScheduledTraffic: Sendable {
    /// A signal that is raised with each change that may complete the exchange.
    var changed: WakeSignal { get }

    /// Adds the observers of a process.
    ///
    /// - Returns: The crossing and the observations.
    func join(_ life: Life, on center: MessageCenter) -> (Crossing, ObservationToken)

    /// Notes a new connection of a process.
    func connected(_ life: Life, over connection: Int)

    /// Posts one message.
    ///
    /// The handlers of the message throw `failures` times.
    func post(by process: ScheduledProcess, key: String?, failures: Int) async

    /// Posts a message for every process, after all are ready and all faults have ended.
    func postLast(by process: ScheduledProcess) async

    /// Notes the end of a process.
    ///
    /// No later effect of the process counts.
    func died(_ life: Life)

    /// Notes that a process was closed, perhaps while a handler was at work.
    func closed(_ process: ScheduledProcess, isSlow: Bool)

    /// Notes a change of the stream before the change is made.
    func changes(_ change: FaultSchedule.StreamChange, for processes: [ScheduledProcess]) throws

    /// Whether the processes can receive posts now.
    func isReady(_ processes: [ScheduledProcess]) throws -> Bool

    /// Whether the processes have received all messages, when no fault prevents this.
    func isDone(_ processes: [ScheduledProcess]) throws -> Bool

    /// Returns the violations before the processes are closed.
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
    /// The number of earlier lives of the process.
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
