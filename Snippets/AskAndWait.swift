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

// `next` receives from the call on, so the message may come before any wait.
let opened = center.messages(of: Opened.self).next(timeout: .seconds(5))
center.post(Opened(), options: [.retained])
_ = try await opened.value

// With retention and replay, `next` also takes a message that was posted before the call.
_ = try await center.messages(of: Opened.self).replaying(.all).next(timeout: .seconds(5)).value
shop.cancel()
