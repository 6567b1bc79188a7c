// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// The words of the terminal for an item, for the item's state and for recordings.
extension ItemRepresentation {
    /// Whether the item records a live stream now or later.
    var isRecording: Bool { fields.live?.isOver == false || members.recordedSeconds != nil }

    /// The state for the user, in lowercase.
    var stateWords: String {
        switch state {
        case .queued: "queued"
        case .fetchingPlaylist: "reading the playlist"
        case .fetching: isRecording ? "recording" : "fetching"
        case .muxing: "joining"
        case .verifying: "checking"
        case .unverified: "to be checked"
        case .paused: "paused"
        case .ready: "ready"
        case .failed: "failed"
        case .missing: "missing"
        }
    }

    /// The state with the recorded time or the received fraction of a running download.
    var stateAndProgress: String {
        guard state == .fetching else { return stateWords }
        if let recordedSeconds = members.recordedSeconds {
            return "\(stateWords) \(PlayTime.text(recordedSeconds))"
        }
        return members.fraction.map { "\(stateWords) \(Format.percent($0))" } ?? stateWords
    }

    /// The sentence about the server that continues with the queued item.
    var queuedAtServer: String {
        "Item \(id) is queued. The running server \(isRecording ? "records" : "downloads") it."
    }

    /// The sentence about an item that waits for a start of the program.
    var queuedWithoutServer: String {
        "Item \(id) is queued. It \(isRecording ? "records" : "downloads") when `offline serve` runs."
    }

    /// The sentence about a download that a server continues.
    var continuedByServer: String {
        "The running server continues to \(isRecording ? "record" : "download") item \(id)."
    }

    /// The sentence about a pause.
    var pausedByCommand: String {
        guard isRecording else {
            return "Item \(id) is paused. Continue it with: offline resume \(id)"
        }
        return "Item \(id) is paused. Until `offline resume \(id)` its recording has a gap; "
            + "`offline stop \(id)` makes its file."
    }
}
