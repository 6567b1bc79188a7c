import Foundation
import OfflineLibrary
import OfflineServer
// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// How the program ended, for the shell.
enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
    case usage = 2
    /// Stopped by Ctrl-C or a request to end, with everything kept.
    case interrupted = 130
}

extension ExitStatus {
    /// An error's text for a person.
    static func explanation(of error: any Error) -> String {
        let text =
            switch error {
            case let error as UsageError: error.message + "\nTry: offline help"
            case let error as LibraryError: error.message
            case let error as DownloadError: error.message
            case let error as HTTPError: error.message
            case let error as ServerError: error.message
            case let error as RemoteError: error.message
            default: "\(error)"
            }
        return "offline: " + Terminal.clean(text)
    }
}
