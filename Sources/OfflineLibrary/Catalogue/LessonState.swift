// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// How far a lesson's part, or a group of its parts, is on its way into the library.
package enum LessonState: String, Hashable, Sendable, Codable, CaseIterable {
    case notDownloaded
    case queued
    case downloading
    case ready
    case failed

    /// What the registry's state of an item means for a lesson; nil if there is no item.
    package init(_ state: ItemState?) {
        self =
            switch state {
            case nil, .missing: .notDownloaded
            case .queued: .queued
            case .fetchingPlaylist, .fetching, .muxing, .verifying: .downloading
            case .ready: .ready
            case .failed: .failed
            }
    }

    /// The state of a whole: what still moves comes first, and ready is only what is so throughout.
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

/// What the registry knows of one lesson.
package struct LessonDownloads: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package var address: WebAddress
        /// The item it is in the library; nil if there is none.
        package var item: MediaItem?

        package var state: LessonState { LessonState(item?.state) }
    }

    package var lesson: Lesson
    package var parts: [LessonPart: Part]

    /// The state of the parts that are downloaded together; nil if the lesson has no such group.
    package func state(of group: LessonPart) -> LessonState? {
        let wanted = lesson.parts(of: group)
        guard !wanted.isEmpty else { return nil }
        return LessonState(of: wanted.compactMap { parts[$0]?.state })
    }
}
