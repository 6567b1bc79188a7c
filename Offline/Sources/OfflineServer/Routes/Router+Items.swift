// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsHTTP

extension Router {
    /// Queues a download; returns 201 for a new item, 200 for one that the library already has.
    func enqueue(_ request: ServerRequest) async throws -> ServerResponse {
        try await enqueue(try download(request))
    }

    /// Returns the download that the body of a request describes.
    func download(
        _ request: ServerRequest,
        of origin: (String) throws -> ItemOrigin = { try ItemOrigin(text: $0) }
    ) throws -> DownloadRequest {
        let wanted = try JSONCoding.decode(DownloadJSON.self, from: request.body)
        let origin = try origin(wanted.url)
        if case .imported = origin {
            throw ServerError(
                .badRequest,
                "This is not a web address. Give an address that begins with http:// or https://."
            )
        }
        var download = DownloadRequest(
            origin,
            choice: try RequestedChoice(
                quality: wanted.quality,
                audio: wanted.audio,
                subtitles: wanted.subtitles,
                chapters: wanted.chapters
            ),
            allowsPrivateAddresses: wanted.allowPrivate ?? false,
            again: wanted.again ?? false
        )
        download.title = clean(title: wanted.title)
        download.live = try wanted.live.map(recording)
        if download.live != nil, download.choice.chapters != nil {
            throw ServerError(
                .badRequest,
                "“chapters” keeps a part of a film, and “live” records a stream that goes on. Send "
                    + "one of them; “seconds” limits a recording."
            )
        }
        var options = try options(request)
        if let id = wanted.id, case .address(let address) = origin {
            options = try library.options(of: id, for: address).updated(by: options)
        }
        try download.setOptions(options)
        return download
    }

    /// Returns a title as one line of limited length; nil if it is absent or empty.
    private func clean(title: String?) -> String? {
        let text = Title(line: title ?? "", fallback: "").text
        return text.isEmpty ? nil : text
    }

    private func recording(_ wanted: LiveJSON) throws(ServerError) -> LiveRecording {
        if let seconds = wanted.seconds, !LiveRecording.isValid(seconds: seconds) {
            throw ServerError(
                .badRequest,
                "The time to record is invalid. Use “seconds” from 1 to "
                    + "\(Int(LiveRecording.longestTime)), or omit it to record the whole stream."
            )
        }
        return LiveRecording(seconds: wanted.seconds)
    }

    /// Returns the options of the requests in a body, beside its other members.
    private func options(_ request: ServerRequest) throws -> RequestOptions {
        try RequestOptions(JSONCoding.decode(RequestOptions.Texts.self, from: request.body))
    }

    /// Queues a download for each address of a text; returns 201 if any of them is new.
    func enqueuePasted(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(PasteJSON.self, from: request.body)
        let pasted = try PastedAddresses(wanted.text)
        let choice = try RequestedChoice(
            quality: wanted.quality,
            audio: wanted.audio,
            subtitles: wanted.subtitles,
            chapters: wanted.chapters
        )
        guard choice.chapters == nil || pasted.addresses.count == 1 else {
            throw ServerError(
                .badRequest,
                "A part belongs to one film. Send its address alone, or leave the part out."
            )
        }
        let options = try options(request)
        try options.check(for: pasted.addresses)
        var response = PastedJSON(items: [], refused: pasted.refusals)
        var isAnyNew = false
        let title = pasted.addresses.count == 1 ? clean(title: wanted.title) : nil
        for address in pasted.addresses {
            var download = DownloadRequest(
                .address(address),
                choice: choice,
                allowsPrivateAddresses: wanted.allowPrivate ?? false,
                again: wanted.again ?? false
            )
            download.title = title
            try download.setOptions(options)
            let result = try await library.enqueue(download)
            if case .created = result { isAnyNew = true }
            response.items.append(representation(of: result.item))
        }
        return .json(response, status: isAnyNew ? 201 : 200)
    }

    func enqueueSample() async throws -> ServerResponse {
        try await enqueue(DownloadRequest(.sample))
    }

    /// Pauses, stops, retries, cancels or keeps an item; nil for any other action.
    func change(
        _ text: Substring,
        by action: Substring,
        _ request: ServerRequest
    ) async throws -> ServerResponse? {
        switch action {
        case "pause":
            .json(representation(of: try await library.pause(try identifier(text))))
        case "stop":
            .json(representation(of: try await library.stopRecording(try identifier(text))))
        case "retry":
            .json(representation(of: try await retry(try identifier(text), request)))
        case "cancel": try await cancel(text)
        case "show": try await showFile(text, request)
        case "keep":
            .json(representation(of: try library.keep(try identifier(text))))
        default: nil
        }
    }

    private func retry(_ id: ItemID, _ request: ServerRequest) async throws -> MediaItem {
        guard !request.body.isEmpty,
            let text = try JSONCoding.decode(RetryJSON.self, from: request.body).address
        else { return try await library.retry(id) }
        return try await library.retry(id, at: try WebAddress(text))
    }

    func remove(_ text: Substring, _ request: ServerRequest) async throws -> ServerResponse {
        let id = try identifier(text)
        try await library.remove(id, withFile: request.parameter("withFile") == "true")
        return .json(RemovalJSON(removed: id))
    }

    func refresh(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(RefreshJSON.self, from: request.body)
        let options = RefreshOptions(
            removeMissing: wanted.removeMissing ?? false,
            importFiles: wanted.import ?? false,
            isConfirmed: wanted.confirmed ?? false
        )
        return .json(try await library.refresh(options))
    }

    private func enqueue(_ request: DownloadRequest) async throws -> ServerResponse {
        let result = try await library.enqueue(request)
        let status = if case .created = result { 201 } else { 200 }
        return .json(representation(of: result.item), status: status)
    }

    func representation(of item: MediaItem) -> ItemRepresentation {
        library.representation(of: item)
    }
}
