// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel

/// A request for a download as a file of the inbox.
package struct StoredRequest: Hashable, Sendable, Codable {
    /// The origin of the item.
    package let origin: String
    /// The quality of a stream, absent to use the settings.
    package let quality: String?
    /// The languages of the sound, absent to use the settings.
    package let audio: String?
    /// The languages of the subtitles, absent to use the settings.
    package let subtitles: String?
    /// The part of the film, absent for the whole film.
    package let chapters: String?
    /// Whether the download may contact private addresses.
    package let allowsPrivateAddresses: Bool
    /// Whether the request creates a new item in any case.
    package let again: Bool
    /// The time of the request.
    package let date: Date
    /// The recording of a live stream, absent for any other item.
    package let live: LiveRecording?
    /// The options of the item's requests, or nil without options.
    package let options: RequestOptions.Texts?

    /// Creates the stored form of a request that is made now.
    package init(_ request: DownloadRequest, at date: Date = Date()) {
        origin = request.origin.text
        quality = request.choice.quality?.description
        audio = request.choice.audio?.description
        subtitles = request.choice.subtitles?.description
        chapters = request.choice.chapters?.description
        allowsPrivateAddresses = request.allowsPrivateAddresses
        again = request.again
        self.date = date
        live = request.live
        options = request.options.isEmpty ? nil : request.options.texts
    }

    /// The request, or nil if this version cannot parse the stored form.
    var request: DownloadRequest? {
        guard let origin = try? ItemOrigin(text: origin), case .address = origin,
            let choice = try? RequestedChoice(
                quality: quality,
                audio: audio,
                subtitles: subtitles,
                chapters: chapters
            ),
            let options = try? RequestOptions(options ?? .init())
        else { return nil }
        var request = DownloadRequest(
            origin,
            choice: choice,
            allowsPrivateAddresses: allowsPrivateAddresses,
            again: again
        )
        request.live = live
        guard (try? request.setOptions(options)) != nil else { return nil }
        return request
    }
}
