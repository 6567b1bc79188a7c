// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The reason why a recording ends.
package enum LiveEnd: Hashable, Sendable {
    /// The playlist states that the stream has ended.
    case list
    /// The requested time is recorded.
    case time
    /// The recording has as many segments as an item can have.
    case tooLong
    /// The server has refused the playlist, or sent other content, for some time.
    case gone
    /// The server has sent no new segment for a long time.
    case silent

    /// Returns the sentence for the user about an unwanted end.
    ///
    /// - Parameters:
    ///   - seconds: The recorded time.
    ///   - reason: The message of the last failure, or nil without a failure.
    /// - Returns: The sentence, or nil for the other ends.
    package func note(at seconds: Double, _ reason: String?) -> String? {
        let time = PlayTime.text(seconds)
        let suffix = reason.map { " \($0)" } ?? ""
        return switch self {
        case .list, .time: nil
        case .tooLong:
            "The recording ended at \(time), because an item can have at most "
                + "\(PlaylistLimits().segments) segments. Add the address again to continue."
        case .gone: "The recording ended at \(time): the playlist is no longer there.\(suffix)"
        case .silent: "The recording ended at \(time): no new segments came.\(suffix)"
        }
    }
}
