// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineModel
import OfflineServer
import OfflineSources
import Tidings
import TidingsHTTP
import TidingsSQLite

/// The exit status of the program.
enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
    case usage = 2
    /// Ended by a signal such as Ctrl-C. The data is kept.
    case interrupted = 130
}

extension ExitStatus {
    /// The statuses with their meaning, for the manual page.
    static let meanings: [(status: ExitStatus, text: String)] = [
        (.success, "The command has done its work."),
        (.failure, "The command has failed, at least in part."),
        (.usage, "The command line is invalid."),
        (.interrupted, "A signal such as Ctrl-C has ended the command. The data is kept."),
    ]

    /// Returns the message of an error, without control characters.
    static func explanation(of error: any Error) -> String {
        let text =
            switch error {
            case let error as UsageError: error.message
            case let error as LibraryError: error.message
            case let error as SQLiteError: error.message
            case let error as FeedError: error.message
            case let error as DownloadError: error.message
            case let error as HTTPError: error.message
            case let error as ServerError: error.message
            case let error as APIError: error.message
            case let error as RemoteError: error.message
            default: "\(error)"
            }
        return "offline: " + Terminal.clean(text)
            + (error is UsageError ? "\nTry: offline help" : "")
    }
}
