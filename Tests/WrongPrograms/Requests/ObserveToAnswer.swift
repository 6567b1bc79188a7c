// SPDX-License-Identifier: Apache-2.0
// expect: declared closure result 'Int' is incompatible
import Tidings

struct Total: Request { typealias Response = Int }

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(Total.self) { _ -> Int in 3 }
}
