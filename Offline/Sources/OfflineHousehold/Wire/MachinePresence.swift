// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import Tidings
import TidingsBridge

/// A machine's report of its presence and state.
///
/// The report is never stored, because an absent machine has missed nothing.
struct MachinePresence: BridgedMessage {
    static let wireName: WireName = "offline.presence"

    let machine: LineOfText
    let page: MachinePage?
    let freeBytes: Int64?
    let readyCount: Int
    let waitingCount: Int
    /// Whether this is the last report of a server that is stopping.
    let isLeaving: Bool
}

extension MachinePresence {
    private enum CodingKeys: CodingKey {
        case machine, page, freeBytes, readyCount, waitingCount, isLeaving
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        machine = try values.decode(LineOfText.self, forKey: .machine)
        page = try? values.decodeIfPresent(MachinePage.self, forKey: .page)
        freeBytes = try values.decodeIfPresent(Int64.self, forKey: .freeBytes).map { max(0, $0) }
        readyCount = max(0, try values.decode(Int.self, forKey: .readyCount))
        waitingCount = max(0, try values.decode(Int.self, forKey: .waitingCount))
        isLeaving = try values.decode(Bool.self, forKey: .isLeaving)
    }
}
