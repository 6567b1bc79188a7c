// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineMedia
package import OfflineModel
import TidingsHTTP

/// The members of a download in a body, without the options of the requests.
private struct DownloadJSON: Codable, Sendable {
    var url: String
    var id: ItemID?
    var title: String?
    var quality: String?
    var audio: String?
    var subtitles: String?
    var chapters: String?
    var allowPrivate: Bool?
    var again: Bool?
    var live: LiveJSON?

    /// The recording of a live stream.
    struct LiveJSON: Codable, Sendable {
        /// The time to record, or absent for the whole stream.
        var seconds: Double?
    }
}

/// The request of a download in the body.
package struct DownloadOrder: OperationInput {
    /// The object with the members of the download and of the request options.
    package static var body: (any Decodable.Type)? { Body.self }
    fileprivate typealias Body = Merged<DownloadJSON, RequestOptions.Texts>

    fileprivate var request: DownloadRequest
    /// The item whose request options the download uses, as far as the options may be sent to the
    /// address.
    private var optionsOf: ItemID?

    /// Creates an order.
    package init(_ request: DownloadRequest) {
        self.request = request
    }

    /// Decodes the body.
    package init(_ parts: RequestParts) throws {
        try self.init(parts) { try ItemOrigin(text: $0) }
    }

    fileprivate init(_ parts: RequestParts, origin: (String) throws -> ItemOrigin) throws {
        let body = try Body(parts)
        let wanted = body.first
        let origin = try origin(wanted.url)
        if case .imported = origin {
            throw APIError(
                .badRequest,
                "This is not a web address. Give an address that begins with http:// or https://."
            )
        }
        request = DownloadRequest(
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
        request.setTitle(line: wanted.title)
        request.live = try wanted.live.map { try Self.recording(seconds: $0.seconds) }
        if request.live != nil, request.choice.chapters != nil {
            throw APIError(
                .badRequest,
                "“chapters” keeps a part of a film, and “live” records a stream that goes on. Send "
                    + "one of them; “seconds” limits a recording."
            )
        }
        optionsOf = wanted.id
        try request.setOptions(try RequestOptions(body.second))
    }

    private static func recording(seconds: Double?) throws(APIError) -> LiveRecording {
        if let seconds, !LiveRecording.isValid(seconds: seconds) {
            throw APIError(
                .badRequest,
                "The time to record is invalid. Use “seconds” from 1 to "
                    + "\(Int(LiveRecording.longestTime)), or omit it to record the whole stream."
            )
        }
        return LiveRecording(seconds: seconds)
    }

    /// Encodes the body, which has neither the title nor the picture.
    package func parts() throws -> RequestParts { try body.parts() }

    fileprivate var body: Body {
        Body(
            DownloadJSON(
                url: request.origin.text,
                quality: request.choice.quality?.description,
                audio: request.choice.audio?.description,
                subtitles: request.choice.subtitles?.description,
                chapters: request.choice.chapters?.description,
                allowPrivate: request.allowsPrivateAddresses,
                again: request.again,
                live: request.live.map { .init(seconds: $0.seconds) }
            ),
            request.options.texts
        )
    }

    /// Returns the request with the options of the item that the order names.
    func resolved(in library: Library) throws -> DownloadRequest {
        guard let id = optionsOf, case .address(let address) = request.origin else {
            return request
        }
        var request = request
        let options = try library.options(of: id, for: address)
        try request.setOptions(options.updated(by: request.options))
        return request
    }
}

/// The request of an inspection, whose address may be in a text.
package struct InspectionOrder: OperationInput {
    /// The object of a download.
    package static var body: (any Decodable.Type)? { DownloadOrder.body }

    let download: DownloadOrder

    /// Creates an order.
    package init(_ request: DownloadRequest) { download = DownloadOrder(request) }

    /// Decodes the body.
    package init(_ parts: RequestParts) throws {
        download = try DownloadOrder(parts) { text throws in
            if let origin = try? ItemOrigin(text: text), origin == .sample { return origin }
            let pasted = try PastedAddresses(text)
            guard let address = pasted.addresses.first, pasted.addresses.count == 1 else {
                throw APIError(
                    .badRequest,
                    "The text has \(pasted.addresses.count) addresses. Look at one at a time."
                )
            }
            return .address(address)
        }
    }

    /// Encodes the body.
    package func parts() throws -> RequestParts { try download.parts() }
}

/// The request of a download for another machine.
package struct HandoverOrder: OperationInput {
    private struct Body: Codable {
        let on: String
    }

    /// The object of a download with the name of a machine.
    package static var body: (any Decodable.Type)? { Merged<Body, DownloadOrder.Body>.self }

    /// The name of a machine, or `any`.
    let machine: String
    private let request: DownloadRequest

    /// Creates an order.
    package init(_ request: DownloadRequest, to machine: String) {
        self.request = request
        self.machine = machine
    }

    /// Decodes the body.
    package init(_ parts: RequestParts) throws {
        machine = try JSONCoding.decode(Body.self, from: parts.body).on
        request = try DownloadOrder(parts).request
    }

    /// Encodes the body.
    package func parts() throws -> RequestParts {
        try Merged(Body(on: machine), DownloadOrder(request).body).parts()
    }

    /// Returns the request without the members that do not reach another machine.
    ///
    /// - Throws: `APIError` with `.badRequest` if the request has such members.
    func plain() throws(APIError) -> DownloadRequest {
        let plain = DownloadRequest(request.origin, choice: request.choice)
        guard request == plain, case .address = request.origin else {
            throw APIError(
                .badRequest,
                "Only the address and the choice of quality, languages and part reach another "
                    + "machine. Leave out the other members."
            )
        }
        return plain
    }
}

/// The members of a text with addresses in a body, without the options of the requests.
package struct PasteJSON: Codable, Sendable {
    /// The string with the addresses.
    let text: String
    /// The title of the item, which is only used if `text` has one address.
    var title: String?
    var quality: String?
    var audio: String?
    var subtitles: String?
    /// The part of the film to keep, which is only allowed if `text` has one address.
    var chapters: String?
    var allowPrivate: Bool?
    var again: Bool?
}

/// The response to `POST /api/items`.
package struct PastedJSON: Codable, Sendable {
    var items: [ItemRepresentation] = []
    /// The addresses that cannot be fetched.
    let refused: [PastedAddresses.Refusal]
}

/// The request of downloads for the addresses in a text.
package typealias PasteOrder = Merged<PasteJSON, RequestOptions.Texts>

extension PasteOrder {
    /// Queues the downloads, and returns the items and whether at least one item is new.
    func enqueue(in library: Library) async throws -> (PastedJSON, Bool) {
        let pasted = try PastedAddresses(first.text)
        let choice = try RequestedChoice(
            quality: first.quality,
            audio: first.audio,
            subtitles: first.subtitles,
            chapters: first.chapters
        )
        guard choice.chapters == nil || pasted.addresses.count == 1 else {
            throw APIError(
                .badRequest,
                "A part belongs to one film. Send its address alone, or leave the part out."
            )
        }
        let options = try RequestOptions(second)
        try options.check(for: pasted.addresses)
        var response = PastedJSON(refused: pasted.refusals)
        var isAnyNew = false
        for address in pasted.addresses {
            var download = DownloadRequest(
                .address(address),
                choice: choice,
                allowsPrivateAddresses: first.allowPrivate ?? false,
                again: first.again ?? false
            )
            if pasted.addresses.count == 1 { download.setTitle(line: first.title) }
            try download.setOptions(options)
            let (item, isNew) = try await download.enqueue(in: library)
            isAnyNew = isAnyNew || isNew
            response.items.append(item)
        }
        return (response, isAnyNew)
    }
}

extension DownloadRequest {
    /// Sets a title as one line of limited length, unless the title is absent or empty.
    fileprivate mutating func setTitle(line: String?) {
        let text = Title(line: line ?? "", fallback: "").text
        if !text.isEmpty { title = text }
    }
}
