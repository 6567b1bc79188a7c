// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

/// The download state of a lesson's part, or of a group of its parts.
package enum LessonState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The library has no item for the part, the item is paused, or the file is missing.
    case notDownloaded
    /// The download waits in the queue.
    case queued
    /// The download is in progress.
    case downloading
    /// The file is in the library.
    case ready
    /// The download failed.
    case failed

    /// Creates the state for the state of an item, or for no item with nil.
    package init(_ state: ItemState?) {
        self =
            switch state {
            case nil, .missing, .paused: .notDownloaded
            case .queued: .queued
            case .fetchingPlaylist, .fetching, .muxing, .verifying, .unverified: .downloading
            case .ready: .ready
            case .failed: .failed
            }
    }

    /// Creates the state of a group from the states of the parts.
    ///
    /// The group is ready if all parts are ready. Otherwise the state is the first of
    /// `downloading`, `queued` and `failed` that a part has, or else `notDownloaded`.
    package init(of parts: [LessonState]) {
        self =
            if !parts.isEmpty, parts.allSatisfy({ $0 == .ready }) {
                .ready
            } else if parts.contains(.downloading) {
                .downloading
            } else if parts.contains(.queued) {
                .queued
            } else if parts.contains(.failed) {
                .failed
            } else {
                .notDownloaded
            }
    }
}

/// A lesson and the library's items for the parts of the lesson.
package struct LessonDownloads: Hashable, Sendable {
    /// A part of the lesson and its item.
    package struct Part: Hashable, Sendable {
        /// The address of the part.
        package var address: WebAddress
        /// The item in the library, or nil if the library has no item.
        package var item: MediaItem?

        /// The download state of the part.
        package var state: LessonState { LessonState(item?.state) }
    }

    /// The lesson.
    package var lesson: Lesson
    /// The parts that the lesson has.
    package var parts: [LessonPart: Part]

    /// Returns the state of a group of parts, or nil if the lesson lacks the group's main part.
    package func state(of group: LessonPart) -> LessonState? {
        let groupParts = lesson.parts(of: group)
        guard !groupParts.isEmpty else { return nil }
        return LessonState(of: groupParts.compactMap { parts[$0]?.state })
    }
}
