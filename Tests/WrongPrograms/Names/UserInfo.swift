// SPDX-License-Identifier: Apache-2.0
// expect: extra argument 'userInfo'
import Tidings

func start(_ center: MessageCenter) {
    center.post(named: "InternetConnect", userInfo: ["network": "home"])
}
