// SPDX-License-Identifier: Apache-2.0
// Messages that other processes of the same space receive.
import Tidings
import TidingsBridge

struct OrderPlaced: BridgedMessage {
    static let wireName: WireName = "orders.placed"
    let id: Int
    let region: String
    var orderingKey: String? { region }
}

func announceOrders(
    on center: MessageCenter,
    over transport: some BridgeTransport,
    in folder: String
) async throws {
    let bridge = Bridge(center: center, space: "shop", transport: transport, storage: folder) {
        Crossing(OrderPlaced.self, .durable)
    }
    try await bridge.start()
    center.post(OrderPlaced(id: 7, region: "eu"))

    let left = try await bridge.close(within: .seconds(5))
    print("\(left) messages wait for the next start.")
}

struct ThumbnailWanted: BridgedMessage {
    static let wireName: WireName = "thumbnails.wanted"
    let picture: String
}

func makeThumbnails(
    on center: MessageCenter,
    over transport: some BridgeTransport,
    in folder: String
) async throws {
    let bridge = Bridge(center: center, space: "shop", transport: transport, storage: folder) {
        Crossing(ThumbnailWanted.self, .shared(group: "thumbnailers"))
    }
    try await bridge.start()
}

struct Lesson: Codable, Sendable {
    let title: String
}

struct FindLesson: BridgedRequest {
    typealias Response = Lesson
    static let wireName: WireName = "lessons.find"
    let id: Int
}

func answer(
    on center: MessageCenter,
    over transport: some BridgeTransport,
    in folder: String
) async throws -> (Bridge, ObservationToken) {
    let bridge = Bridge(center: center, space: "school", transport: transport, storage: folder) {
        Crossing(answering: FindLesson.self)
    }
    let token = center.respond(to: FindLesson.self) { request in
        Lesson(title: "Lesson \(request.id)")
    }
    try await bridge.start()
    return (bridge, token)
}

func ask(over bridge: Bridge) async throws {
    let lesson = try await bridge.request(FindLesson(id: 3), timeout: .seconds(2))
    print(lesson.title)
}

func mirrorPrices(
    on center: MessageCenter,
    over transport: some BridgeTransport,
    in folder: String
) async throws {
    let catalogue = StatePublisher<[String: Int]>()
    let bridge = Bridge(center: center, space: "shop", transport: transport, storage: folder) {
        Crossing(state: catalogue, key: "catalogue")
    }
    try await bridge.start()
    catalogue.updateData(["tea": 3])
}
