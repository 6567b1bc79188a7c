// SPDX-License-Identifier: Apache-2.0

/// The state of the download of one medium of a lesson.
enum DownloadStatus: Equatable, Sendable, CustomStringConvertible {
    case absent
    case loading(Int)
    case waiting(Int)
    case downloaded

    var description: String {
        switch self {
        case .absent: "–"
        case .loading(let percent): "\(percent) %"
        case .waiting(let percent): "\(percent) % (waits)"
        case .downloaded: "✓"
        }
    }
}
