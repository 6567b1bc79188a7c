// SPDX-License-Identifier: Apache-2.0
// A request with a response, and a wait for one message.
import Tidings

struct PriceOf: Request {
    typealias Response = Int
    let article: String
}

struct Opened: Message {}

let center = MessageCenter()
let shop = center.respond(to: PriceOf.self) { request in request.article.count }

let price = try await center.request(PriceOf(article: "Blue"), timeout: .seconds(5))
print("it costs \(price)")

// With retention and replay, `next` also returns a message that was posted before the call.
center.post(Opened(), retention: .latest)
_ = try await center.next(Opened.self, timeout: .seconds(5), replay: .all)
shop.cancel()
